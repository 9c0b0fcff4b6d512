/** The path and query of a request line. Cheaper to parse than a URL, which matters because every request does it. */
export interface RequestTarget {
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Where web apps send requests with a cookie instead of a key. */
export const browserPrefix = '/json/';

const noQuery = new URLSearchParams();

/** Returns undefined for targets other than a path, such as `*` or the URL of another host. */
export function parseRequestTarget(url: string | undefined): RequestTarget | undefined {
  if (url === undefined || !url.startsWith('/')) return undefined;
  const mark = url.indexOf('?');
  if (mark < 0) return {path: url, query: noQuery};
  return {path: url.slice(0, mark), query: new URLSearchParams(url.slice(mark + 1))};
}
