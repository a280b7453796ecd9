/** The first element in the tab order: skips the menu. */
export function SkipLink() {
  return (
    <a
      href="#konten"
      className="skip-link"
      onClick={(event) => {
        // Only the focus moves, because the router owns the address.
        event.preventDefault();
        document.getElementById('konten')?.focus();
      }}
    >
      Lewati ke konten
    </a>
  );
}
