/** The first stop of the Tab key: past the menu, to the page itself. */
export function SkipLink() {
  return (
    <a
      href="#konten"
      className="skip-link"
      onClick={(event) => {
        // The address belongs to the router; only the focus moves.
        event.preventDefault();
        document.getElementById('konten')?.focus();
      }}
    >
      Lewati ke konten
    </a>
  );
}
