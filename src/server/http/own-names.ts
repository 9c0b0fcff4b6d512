import {isIP} from 'node:net';

/** Returns whether only this machine can reach a server that listens on this host. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/**
 * Returns a function that tells whether a Host header names this server: by one of `names`, as localhost or by an
 * address. A page of another site that lets its own name resolve to this machine, so that the browser lets it read the
 * responses, sends another name.
 */
export function hostCheck(names: readonly string[]): (header: string | undefined) => boolean {
  const known = new Set(['localhost', ...names.map((name) => name.toLowerCase())]);
  return (header) => {
    // Browsers always send it.
    if (header === undefined) return true;
    const name = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(header.toLowerCase());
    const host = name?.[1] ?? name?.[2] ?? '';
    return known.has(host) || host.endsWith('.localhost') || isIP(host) !== 0;
  };
}
