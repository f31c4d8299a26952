"""What the page and the desk show of scored trials: tables of subsets x runs, scores by class and attribute."""
