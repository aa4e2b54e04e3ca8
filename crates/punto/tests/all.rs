//! The tests of the binary, in one program: it is linked once.

mod administrators;
mod contract;
mod damage;
mod encrypted_backup;
mod failing_sync;
mod founding;
mod interrupt;
mod kill;
mod ledger_verbs;
mod names;
mod par_in_browser;
#[path = "../../punto-ledger/tests/postgres_server/mod.rs"]
mod postgres_server;
mod read_only;
mod run;
mod serve_audit;
mod serve_checkpoint;
mod serve_database;
mod serve_doors;
mod serve_full_disk;
mod serve_hangs;
mod serve_kill;
mod serve_lease;
mod serve_owner;
mod serve_shoes;
mod serve_witness;
mod served;
mod settle_stream;
#[path = "../../punto-ledger/tests/small_disk/mod.rs"]
mod small_disk;
mod ticket_numbers;
