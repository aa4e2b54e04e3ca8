//! The tests of the ledger, in one program: it is linked once.

mod contract;
mod crash;
mod currency;
mod expired;
mod factors;
mod full_disk;
mod ledgers;
mod names;
mod postgres;
mod postgres_server;
mod register;
mod small_disk;
mod tampering;
mod tickets;
mod witness_deeds;
