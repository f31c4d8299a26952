"""Curves of scored trials: those made when they are asked for, and how the views of curves are computed faster."""
