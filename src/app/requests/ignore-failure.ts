/** Ignores a failed fetch: the pane shows the failure, and the next visit fetches again. */
export function ignoreFailure(request: Promise<unknown>): void {
  request.catch(() => {});
}
