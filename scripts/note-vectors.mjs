// Makes crates/punto-record/tests/data/notes.json.
// Notes, cosignatures and requests made with node's crypto alone: another implementation than the one under test.
import { createHash, createPrivateKey, createPublicKey, sign } from "node:crypto";
const key = (seed) => createPrivateKey({ key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed]), format: "der", type: "pkcs8" });
const pub = (k) => createPublicKey(k).export({ format: "der", type: "spki" }).subarray(12);
const id = (name, kind, p) => createHash("sha256").update(name).update(Buffer.from([10, kind])).update(p).digest().subarray(0, 4);
const line = (name, bytes) => `— ${name} ${bytes.toString("base64")}\n`;
const out = [];
for (const [n, size, after] of [[1, 0, ""], [2, 17, ""], [3, 20852163, "/17"], [4, 9007199254740991, "/9007199254740991"]]) {
  const log = key(Buffer.alloc(32, n)), witness = key(Buffer.alloc(32, 100 + n));
  const ledger = createHash("sha256").update(`ledger ${n}`).digest("hex");
  const root = createHash("sha256").update(`root ${n}`).digest();
  const origin = `punto/${ledger}${after}`;
  const text = `${origin}\n${size}\n${root.toString("base64")}\n`;
  const name = `witness.example/w${n}`, time = 1679315147 + n;
  const stamp = Buffer.alloc(8); stamp.writeBigUInt64BE(BigInt(time));
  const cosigned = sign(null, Buffer.from(`cosignature/v1\ntime ${time}\n${text}`), witness);
  const own = line(origin, Buffer.concat([id(origin, 1, pub(log)), sign(null, Buffer.from(text), log)]));
  const theirs = line(name, Buffer.concat([id(name, 4, pub(witness)), stamp, cosigned]));
  const kid = id(name, 4, pub(witness)).toString("hex");
  const path = [0, 1, 2].slice(0, n - 1).map((i) => createHash("sha256").update(`beside ${i}`).digest());
  out.push({ seed: n, ledger, size, after: after ? Number(after.slice(1)) : null, root: root.toString("hex"), key: pub(log).toString("hex"),
    note: `${text}\n${own}`, witness: `${name}+${kid}+${Buffer.concat([Buffer.from([4]), pub(witness)]).toString("base64")}`,
    witness_name: name, witness_seed: 100 + n, time, cosigned: `${text}\n${own}${theirs}`,
    old: n, path: path.map((d) => d.toString("hex")), request: `old ${n}\n${path.map((d) => d.toString("base64") + "\n").join("")}\n${text}\n${own}` });
}
console.log(JSON.stringify(out, null, 1));
