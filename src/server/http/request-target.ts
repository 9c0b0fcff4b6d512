/** What a request line asks for. Cheaper than a URL, and every request pays it. */
export interface RequestTarget {
  readonly path: string;
  readonly query: URLSearchParams;
}

const none = new URLSearchParams();

/** Undefined for what is not a path of ours, such as `*` or an address of another host. */
export function parseRequestTarget(url: string | undefined): RequestTarget | undefined {
  if (url === undefined || !url.startsWith('/')) return undefined;
  const mark = url.indexOf('?');
  if (mark < 0) return {path: url, query: none};
  return {path: url.slice(0, mark), query: new URLSearchParams(url.slice(mark + 1))};
}
