/** Returns the network that a rate limit applies to: an IPv4 address, or the /64 that an IPv6 household has. */
export function networkOfAddress(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = '', tail] = address.split('::');
  const first = groupsOf(head);
  if (tail === undefined) return first.slice(0, 4).join(':');
  const last = groupsOf(tail);
  const zeros = Array.from({length: Math.max(0, 8 - first.length - last.length)}, () => '0');
  return [...first, ...zeros, ...last].slice(0, 4).join(':');
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':');
}
