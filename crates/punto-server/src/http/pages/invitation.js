// The secret of the invitation stands behind the #, where no server and no log sees it.
const form = document.querySelector("form");
const status = document.querySelector("[role=status]");
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const password = form.elements.password.value;
  if (password !== form.elements.again.value) {
    status.textContent = "The two are not the same.";
    return;
  }
  const invitation = location.hash.slice(1);
  const code = form.elements.code.value.trim() || undefined;
  const answer = await fetch("/api/password", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ invitation, code, password }),
  });
  if (answer.ok) {
    form.remove();
    status.textContent = "Done. You can sign in now.";
  } else {
    const told = await answer.json().catch(() => null);
    status.textContent = told?.error?.words ?? "That did not work.";
  }
});
