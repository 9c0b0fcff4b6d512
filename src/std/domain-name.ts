const maxDomainLength = 253;
const maxLabelLength = 63;

/** Returns why a text in lower case is not the name of an internet domain. */
export function domainProblem(domain: string): string | undefined {
  if (domain === '') return "Domain can't be empty.";
  if (domain.length > maxDomainLength) return 'Domain is too long';
  if (!domain.includes('.')) return 'Domain must have at least one dot (.)';
  if (domain.startsWith('.') || domain.endsWith('.')) return 'Domain cannot start or end with a dot (.)';
  for (const label of domain.split('.')) {
    if (label === '') return "Consecutive '.' are not allowed.";
    if (label.length > maxLabelLength) return 'A part of the domain is too long';
    if (label.startsWith('-') || label.endsWith('-')) return "Subdomains cannot start or end with a '-'.";
    if (!/^[a-z0-9-]+$/.test(label)) return "Domain can only have letters, numbers, '.' and '-'s.";
  }
  return undefined;
}
