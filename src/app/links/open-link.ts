import type {App} from '#app/core/app.ts';
import {openMessageLink} from '#app/message-pane/selection.ts';
import {openUserCard} from '#app/people/user-card.ts';
import {toastResult} from '#app/requests/server-request.ts';
import {fileChipName} from '#content/file-chip.ts';
import {parseNarrowLink} from '#content/narrow-link.ts';
import {openableUrl} from '#state/actions/messages.ts';
import {composed} from '#std/composed-text.ts';
import type {AttachedFile, LinkChoice} from './message-links.ts';

/** Opens the link: in the app if it points into this organization, else in the browser. */
export function openLinkChoice(app: App, {target, text}: Pick<LinkChoice, 'target' | 'text'>): void {
  if (target.kind === 'person') openUserCard(app, target.userId);
  else if (target.kind === 'file') {
    const {url, fileKind: kind} = target;
    openFile(app, {url, kind, name: fileChipName({name: text, href: url})});
  } else if (target.kind === 'narrow') app.warn(openMessageLink(app, target.url));
  else if (parseNarrowLink(target.url, () => 0) === undefined || openMessageLink(app, target.url) !== undefined)
    openInBrowser(app, target.url);
}

/** Returns the text to copy: the URL, or the person's name. */
export function linkAddress(app: App, {target, text}: Pick<LinkChoice, 'target' | 'text'>): string {
  if (target.kind === 'person') return app.state.users.get(target.userId)?.fullName ?? text;
  return app.session.context.api.connection.webUrl(target.url) ?? target.url;
}

export function openInBrowser(app: App, url: string): void {
  const address = app.session.context.api.connection.webUrl(url) ?? url;
  toastResult(app, app.device.open(address));
}

/** Opens the file outside the terminal; saves it where there is no browser. */
export function openFile(app: App, file: AttachedFile): void {
  if (app.device.isRemote) saveFile(app, file);
  else toastProgress(app, composed`Opening ${file.name}…`, openedFile(app, file.url));
}

export function saveFile(app: App, file: AttachedFile): void {
  toastProgress(app, composed`Downloading ${file.name}…`, savedFile(app, file));
}

async function openedFile({session, device}: App, url: string): Promise<string> {
  return device.open(await openableUrl(session.context, url));
}

async function savedFile({session, device}: App, {url, name}: AttachedFile): Promise<string> {
  const {api, signal} = session.context;
  const {body} = await api.connection.download(url, {signal});
  return `Saved ${await device.saveFile(name, body)}`;
}

function toastProgress(app: App, progressText: string, done: Promise<string>): void {
  app.toast(progressText);
  toastResult(app, done);
}
