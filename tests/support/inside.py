"""The package's internal parts that tests use, by one path: parts may move, tests do not change.

What users have is imported from `tdtsql`; readers, metrics, engines and what is pure from where they are.
"""

# ruff: noqa: F401 - what is here is for others

from tdtsql.audit.archive import pack, unpack
from tdtsql.audit.container import SUMS, container, sums_of
from tdtsql.audit.container import root as archive_root
from tdtsql.audit.container import read as archive_read
from tdtsql.audit.archive import verify as archive_verify
from tdtsql.audit.definition_diff import changes, new_version
from tdtsql.audit.effects import profile_changes
from tdtsql.audit.explain import explain
from tdtsql.audit.invariants import audit
from tdtsql.audit.signature import parse as signature_parse
from tdtsql.engine.run_parallel import run_parallel
from tdtsql.intake.content import content, contents
from tdtsql.files.frame import Frame
from tdtsql.files.find import Inputs
from tdtsql.loading import bundle as bundle_loading
from tdtsql.loading import condition as condition_loading
from tdtsql.loading import corpus as corpus_loading
from tdtsql.loading.bundle import _Load as BundleLoad
from tdtsql.loading.bundle import evaluate_into
from tdtsql.loading.story_trials import periods_of
from tdtsql.loading.tasks import link as link_loading
from tdtsql.load.plan import stored_condition
from tdtsql.store.copy import copy_store
from tdtsql.store.export import export
from tdtsql.scoring import distribution as distribution_scoring
from tdtsql.scoring.distribution import store_missing_distributions
from tdtsql.scoring.hierarchy import (
    check_hierarchy,
    refresh_hierarchy,
    refresh_stale_hierarchies,
    store_hierarchy,
)
from tdtsql.store.derived import mark_conditions, compute_run_flags, rows_of
from tdtsql.scoring.recompute import recompute, same
from tdtsql.scoring.pairing import SEARCH
from tdtsql.definitions.catalogue import published
from tdtsql.scoring.score import insert_statements
from tdtsql.scoring.kernels import KERNELS
from tdtsql.scoring.scope import Scope, sql_list
from tdtsql.store.ledger import result_fingerprint
from tdtsql.store.stored_results import asked
from tdtsql.store.stored_results import invariants
from tdtsql.definitions import verify
from tdtsql.store import definitions, registry, stored_results
from tdtsql.store.definitions import (
    LOCKED,
    TRACED,
    check_store,
    foreign,
    comments,
    edited_lock,
    made_with,
    objects_hash,
    write_catalog_hash,
)
from tdtsql.scoring.recompute import derived_again
from tdtsql.store.contents import contents_of, owner_hash, owners
from tdtsql.store.ledger import (
    DISTRIBUTIONS,
    append,
    entry_hash,
    head,
    load_entry,
    record_profiles,
    verify_chain,
)
from tdtsql.store.lineage import source_kinds
from tdtsql.show.memoised_engine import MemoisedEngine
from tdtsql.store.profiles import Profile, load_profiles, policies, shipped_profiles, with_base
from tdtsql.store.registry import refresh_current_inputs, result_tables
from tdtsql.definitions.create import create_tables, create_views
