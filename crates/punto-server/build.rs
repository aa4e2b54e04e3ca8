//! The screens are built by Node before this crate (`make`); here they are only found. Where they are not, the server has a
//! page that says so, and everything else works.

fn main() {
    let dist = "../../web/dist";
    println!("cargo::rerun-if-changed={dist}");
    if !std::path::Path::new(dist).join("index.html").exists() {
        println!("cargo::warning=the screens are not built; `make` builds them before the server");
    }
}
