/** Returns why a text cannot be the line of a public key; undefined if it may be one. A private key must not leave its machine. */
export function publicKeyLineProblem(text: string): string | undefined {
  if (/PRIVATE KEY/.test(text)) return 'This is a private key. Paste the .pub file; the private key stays yours.';
  return text.trim().includes('\n') ? 'A public key is one line.' : undefined;
}
