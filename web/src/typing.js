// While someone types, nothing is marked as wrong: most texts are, until they are finished.

export function startTyping() {
  const { classList } = document.documentElement;
  const end = () => classList.remove("typing");
  document.addEventListener("input", (event) => event.target.matches("input[type=text], textarea") && classList.add("typing"));
  document.addEventListener("change", end);
  document.addEventListener("focusout", end);
  document.addEventListener("keydown", (event) => event.key === "Enter" && end());
}
