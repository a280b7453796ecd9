/** The style of the trust page. It has the colours of the client, but uses none of its files. */
export const trustPageStyle = `
:root { --text: #1f2328; --soft: #57606a; --page: #f6f8fa; --card: #fff; --line: #d0d7de; --accent: #1864ab; --on-accent: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6e8ea; --soft: #a9b1ba; --page: #14171a; --card: #1f2428; --line: #3a4148; --accent: #74c0fc; --on-accent: #0b2239; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 44rem; margin: 0 auto; padding: 1.25rem 1rem 3rem; }
h1 { margin: 0 0 .75rem; font-size: 1.6rem; line-height: 1.25; }
h2 { margin: 2rem 0 .75rem; font-size: 1.15rem; line-height: 1.3; }
p { margin: .5rem 0; }
a { color: var(--accent); }
.brand { margin: 0 0 .25rem; color: var(--soft); font-weight: 600; }
details { margin: .5rem 0; border: 1px solid var(--line); border-radius: .5rem; background: var(--card); }
summary { padding: .8rem 1rem; font-weight: 600; cursor: pointer; }
summary:focus-visible, a:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
details ol { margin: 0; padding: 0 1rem .75rem 2.25rem; }
details li { margin: .6rem 0; }
.note { margin: 0; padding: .75rem 1rem; border-top: 1px solid var(--line); color: var(--soft); }
.button { display: inline-block; margin: .1rem .4rem .1rem 0; padding: .45rem .9rem; border-radius: .4rem; background: var(--accent); color: var(--on-accent); font-weight: 600; text-decoration: none; }
.addresses { margin: 0; padding: 0; list-style: none; }
.addresses a { display: block; margin: .5rem 0; padding: .8rem 1rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--card); font-weight: 600; }
.qr { width: 13rem; max-width: 100%; border-radius: .5rem; overflow: hidden; background: #fff; }
.qr svg { display: block; width: 100%; height: auto; }
.address { color: var(--soft); }
.fingerprint { padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--card); font: .9rem/1.7 ui-monospace, monospace; }
footer { margin-top: 2rem; }
`;
