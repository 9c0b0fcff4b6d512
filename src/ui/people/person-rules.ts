/** The server's limit for names. */
const maxNameLength = 100;

/** Returns why a text cannot be the name of an account. */
export function nameProblem(name: string): string | undefined {
  const excess = [...name].length - maxNameLength;
  if (excess > 0) return `A name has at most ${maxNameLength} characters`;
  if (/[*`\\>"@]/.test(name)) return 'A name cannot contain * ` \\ > " @';
  return /\|\d*$/.test(name) ? 'A name cannot end like this' : undefined;
}

/** Returns why a text is no email address. The server knows more rules. */
export function emailProblem(text: string): string | undefined {
  return text === '' || isEmail(text) ? undefined : 'Write an address such as ann@example.com';
}

export function isEmail(text: string): boolean {
  return /^[^\s@,<>]+@[^\s@,<>]+\.?[^\s@,<>.]+$/.test(text);
}
