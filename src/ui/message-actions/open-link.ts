import {fileChipName} from '#content/file-chip.ts';
import {parseNarrowLink} from '#content/narrow-link.ts';
import {parseDestination} from '#state/selectors/search/parse-destination.ts';
import {failureReason} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import {openConversation, openNarrow} from '#ui/navigation/navigation.ts';
import {openUserCard} from '#ui/people/user-card.ts';
import type {LinkChoice} from './message-links.ts';
import {openFile} from './open-file.ts';

/** Opens the link: in the app if it points into this organization, else in the browser. */
export function openLinkChoice(app: App, {target, text}: Pick<LinkChoice, 'target' | 'text'>): void {
  switch (target.kind) {
    case 'person':
      openUserCard(app, target.userId);
      return;
    case 'file':
      openFile(app, {
        url: target.url,
        kind: target.fileKind,
        name: fileChipName({name: text, href: target.url}),
      });
      return;
    case 'narrow':
      openConversationLink(app, target.url);
      return;
    case 'web':
      if (parseNarrowLink(target.url) === undefined || !tryOpenConversationLink(app, target.url))
        openInBrowser(app, target.url);
  }
}

/** Returns the text to copy: the URL, or the person's name. */
export function linkAddress(app: App, {target, text}: Pick<LinkChoice, 'target' | 'text'>): string {
  if (target.kind === 'person') return app.state.users.get(target.userId)?.fullName ?? text;
  return app.session.context.api.connection.webUrl(target.url) ?? target.url;
}

function openConversationLink(app: App, url: string): void {
  if (tryOpenConversationLink(app, url)) return;
  const found = parseDestination(app.state, url);
  app.toast(found.kind === 'problem' ? found.problem : 'This link points nowhere.', 'warning');
}

/** Returns false when the link points to another organization or nowhere. */
function tryOpenConversationLink(app: App, url: string): boolean {
  const found = parseDestination(app.state, url);
  if (found.kind === 'problem') return false;
  if (found.kind === 'conversation') openConversation(app, found.conversation);
  else openNarrow(app, found.narrow);
  return true;
}

export function openInBrowser(app: App, url: string): void {
  const address = app.session.context.api.connection.webUrl(url) ?? url;
  app.device.open(address).then(
    (result) => app.toast(result),
    (error: unknown) => app.toast(failureReason(error) ?? '', 'error'),
  );
}
