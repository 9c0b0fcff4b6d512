/** The connection to the proxy itself failed; `cause` says why. */
export class ProxyUnreachableError extends Error {
  constructor(cause: Error) {
    super('The proxy cannot be reached', {cause});
  }
}
