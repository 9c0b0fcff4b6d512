import {failureReason} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import type {AttachedFile} from './message-links.ts';

/** Opens the file outside the terminal; saves it where there is no browser. */
export function openFile(app: App, file: AttachedFile): void {
  if (app.device.isRemote) saveFile(app, file);
  else toastProgress(app, `Opening ${file.name}…`, openedFile(app, file.url));
}

export function saveFile(app: App, file: AttachedFile): void {
  toastProgress(app, `Downloading ${file.name}…`, savedFile(app, file));
}

/**
 * Opens the file in a browser. An upload needs credentials, so the server first provides a temporary URL without them.
 */
async function openedFile({session, device}: App, url: string): Promise<string> {
  const {api, signal} = session.context;
  const [, realmId, path] = /^\/user_uploads\/(\d+)\/(.+)$/s.exec(url) ?? [];
  if (realmId === undefined || path === undefined) return device.open(api.connection.webUrl(url) ?? url);
  const args = {realm_id: Number(realmId), filename: decodedPath(path)};
  const {url: temporary} = await api.getTemporaryUrl(args, {signal});
  return device.open(api.connection.webUrl(temporary) ?? temporary);
}

/** Decodes the path: paths in messages are encoded, and the request encodes them again. */
function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

async function savedFile({session, device}: App, {url, name}: AttachedFile): Promise<string> {
  const {api, signal} = session.context;
  const {body} = await api.connection.download(url, {signal});
  return `Saved ${await device.saveFile(name, body)}`;
}

function toastProgress(app: App, progressText: string, done: Promise<string>): void {
  app.toast(progressText);
  done.then(
    (result) => app.toast(result),
    (error: unknown) => {
      const reason = failureReason(error);
      if (reason !== undefined) app.toast(reason, 'error');
    },
  );
}
