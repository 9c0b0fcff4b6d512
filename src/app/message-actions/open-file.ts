import {failureReason} from '#app/actions/server-request.ts';
import type {App} from '#app/core/app.ts';
import type {AttachedFile} from './message-links.ts';

/** Shows it outside of the terminal. Where there is no browser to show it, it is saved. */
export function openFile(app: App, file: AttachedFile): void {
  if (app.device.isRemote) saveFile(app, file);
  else say(app, `Opening ${file.name}…`, openedFile(app, file.url));
}

export function saveFile(app: App, file: AttachedFile): void {
  say(app, `Downloading ${file.name}…`, savedFile(app, file));
}

/** What one uploads can be opened by nobody without credentials: the server gives an address that needs none for a while. */
async function openedFile({session, device}: App, url: string): Promise<string> {
  const {api, signal} = session.context;
  const [, realmId, path] = /^\/user_uploads\/(\d+)\/(.+)$/s.exec(url) ?? [];
  if (realmId === undefined || path === undefined) return device.open(api.connection.webUrl(url) ?? url);
  const args = {realm_id: Number(realmId), filename: decoded(path)};
  const {url: temporary} = await api.getTemporaryUrl(args, {signal});
  return device.open(api.connection.webUrl(temporary) ?? temporary);
}

/** Paths in messages are encoded, those of requests become it on their way. */
function decoded(path: string): string {
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

function say(app: App, doing: string, done: Promise<string>): void {
  app.toast(doing);
  done.then(
    (said) => app.toast(said),
    (error: unknown) => {
      const reason = failureReason(error);
      if (reason !== undefined) app.toast(reason, 'error');
    },
  );
}
