import {failureReason} from '#app/actions/server-request.ts';
import type {App} from '#app/core/app.ts';
import {openConversation, openNarrow} from '#app/navigation/navigation.ts';
import {openUserCard} from '#app/people/user-card.ts';
import {fileChipName} from '#content/file-chip.ts';
import {parseNarrowLink} from '#content/narrow-link.ts';
import {parseDestination} from '#state/selectors/search/parse-destination.ts';
import type {LinkChoice} from './message-links.ts';
import {openFile} from './open-file.ts';

/** Goes where it leads: inside if it is a place of this organization, else in the browser. */
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
    case 'place':
      openConversationLink(app, target.url);
      return;
    case 'web':
      if (parseNarrowLink(target.url) === undefined || !tryOpenConversationLink(app, target.url))
        openInBrowser(app, target.url);
  }
}

/** What is to be copied of it. */
export function linkAddress(app: App, {target, text}: Pick<LinkChoice, 'target' | 'text'>): string {
  if (target.kind === 'person') return app.state.users.get(target.userId)?.fullName ?? text;
  return app.session.context.api.connection.webUrl(target.url) ?? target.url;
}

function openConversationLink(app: App, url: string): void {
  if (tryOpenConversationLink(app, url)) return;
  const found = parseDestination(app.state, url);
  app.toast(found.kind === 'problem' ? found.problem : 'This link leads nowhere.', 'warning');
}

/** False when it leads to another organization, or nowhere. */
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
    (said) => app.toast(said),
    (error: unknown) => app.toast(failureReason(error) ?? '', 'error'),
  );
}
