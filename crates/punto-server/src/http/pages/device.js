// Two people enrol a device: the link brings one half of its credential behind the #, where no server and no log sees it, the
// second person enters the other half here. `#screen=terminal&table=T1&device=…`, and `keep` and `kiosk` as the screens read them.
const form = document.querySelector("form");
const status = document.querySelector("[role=status]");
const given = new URLSearchParams(location.hash.slice(1));
const screen = given.get("screen");
if (!["terminal", "console", "board"].includes(screen) || !given.get("table") || !given.get("device")) {
  form.remove();
  status.textContent = "This link is incomplete. 链接不完整。 連結不完整。";
}
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const code = form.elements.code.value.toLowerCase().replace(/[^0-9a-z]/g, "");
  given.set("device", `${given.get("device")}.${code}`);
  given.delete("screen");
  // A wrong code is told by the screen itself: the device is not known.
  location.replace(`/${screen}#${given}`);
});
