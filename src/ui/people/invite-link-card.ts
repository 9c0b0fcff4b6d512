import type {App} from '#ui/core/app.ts';
import {blankLine} from '#ui/layout/ui-line.ts';
import {copyText} from '#ui/message-actions/copy-message.ts';
import {cardKeyLines, cardTextField, paragraph} from '#ui/overlays/card-lines.ts';
import {openCard} from '#ui/overlays/cards.ts';
import {memoizedCardLines} from '#ui/overlays/loading-card.ts';
import type {InviteLink} from '#wire/objects/invite.ts';

/** Shows and copies the links of invitations by email, which a server that sends no mail hands to the inviter alone. */
export function openInviteLinkCard(app: App, links: readonly InviteLink[]): void {
  const [only, ...others] = links;
  const isOne = only !== undefined && others.length === 0;
  const text = isOne ? only.link_url : links.map(({email, link_url}) => `${email} ${link_url}\n`).join('');
  const copy = (from: App) => copyText(from, text, isOne ? `the link for ${only.email}` : 'the links');
  openCard(app, {
    id: 'invite-links',
    title: isOne ? 'Invitation link' : 'Invitation links',
    columns: 76,
    hint: 'Esc closes',
    lines: memoizedCardLines((_frame, width) => [
      ...paragraph('This server sends no email. Give each person their link yourself:', 'text', width),
      blankLine,
      ...links.flatMap(({email, link_url}) => cardTextField(email, link_url, width)),
      blankLine,
      ...paragraph('Whoever has a link can join with it. It is shown to you only.', 'dim', width),
      blankLine,
      ...cardKeyLines([['c', isOne ? 'copy the link' : 'copy the links']], width),
    ]),
    onKey: (from, {name: key, ctrl, alt}) => {
      if (key !== 'c' || ctrl === true || alt === true) return false;
      copy(from);
      return true;
    },
  });
  copy(app);
}
