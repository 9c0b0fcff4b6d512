import type {App} from '#app/core/app.ts';
import {otherApps} from '#app/core/other-apps.ts';
import {openConversation} from '#app/navigation/navigation.ts';
import {openPicker} from '#app/overlays/picker.ts';
import type {FetchRequest} from '#state/fetches/kept-queries.ts';
import {newestMessages} from '#state/fetches/queries.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import type {Message} from '#state/model/message.ts';
import {narrowIs} from '#state/model/narrow.ts';
import {conversationRowTitle, userName} from '#state/selectors/names/names.ts';
import {composed} from '#std/composed-text.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import {type Frame, fetched, type Organization} from '#ui/core/frame.ts';
import type {PickerRow} from '#ui/core/overlay.ts';
import {excerpt, messageContext} from '#ui/format/message-context.ts';
import {ageText} from '#wording/moment-text.ts';

interface MessageRow extends PickerRow {
  readonly found?: {readonly organization: Organization; readonly message: Message};
}

export type MessageCollection = 'mentioned' | 'starred';

const titles: Readonly<Record<MessageCollection, string>> = {
  mentioned: 'Mentions in all organizations',
  starred: 'Starred in all organizations',
};

/** The newest messages of each organization. */
const maxMessages = 30;

/** Returns why the messages of all organizations cannot be listed. */
export function notTogetherReason({frame}: Pick<AppReader, 'frame'>): string | undefined {
  if (frame.info.accountCount < 2) return 'There is only one organization';
  return frame.organizations === undefined ? 'Organizations are shown separately (g , changes it)' : undefined;
}

/** Lists the newest messages that mention the user, or are starred, in all organizations. */
export function openMessagesOfAll(app: App, collection: MessageCollection): void {
  const request = newestMessages({narrow: narrowIs(collection), maxCount: maxMessages});
  // The picker reads those of its own account.
  const stops = otherApps(app).map(({session}) => session.queries.observe(request));
  openPicker<MessageRow>(app, {
    id: `all-${collection}`,
    title: titles[collection],
    isGeneral: true,
    placeholder: 'filter by words',
    columns: 100,
    rowsShown: 12,
    reads: [request],
    rows: (frame, query) => messageRows(frame, request, query),
    empty: 'No messages.',
    hint: {Enter: 'opens', Esc: 'closes'},
    accept: (from, {found}) => {
      if (found === undefined) return;
      const {isShown, index} = found.organization;
      from.closeOverlay();
      if (!isShown) from.accounts.show(index);
      const its = isShown ? from : from.accounts.appAt?.(index);
      if (its !== undefined) openConversation(its, conversationOf(found.message), {anchor: found.message.id, from});
    },
    onClose: () => {
      for (const stop of stops) stop();
    },
  });
}

/** Returns the messages of all, the newest first, and above them what is missing. */
function messageRows(frame: Frame, request: FetchRequest<readonly Message[]>, query: string): readonly MessageRow[] {
  const words = query.toLowerCase().split(/\s+/);
  const notes: MessageRow[] = [];
  const rows: MessageRow[] = [];
  for (const organization of frame.organizations?.all ?? []) {
    const {name, isShown, problem} = organization;
    const its = isShown ? frame : organization.frame;
    const state = its && fetched(its, request);
    const isLoading = state?.isFetching === true && state.data === undefined;
    const note = state?.error ?? (isLoading ? 'loading…' : problem);
    if (note !== undefined) notes.push({key: `note ${name}`, label: composed`${name}: ${note}`, isTitle: true});
    if (its !== undefined) rows.push(...(state?.data ?? []).map((message) => messageRow(organization, its, message)));
  }
  const found = rows.filter(({label, right = ''}) => {
    const text = `${label} ${right}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return [...notes, ...found.sort((a, b) => (b.found?.message.timestamp ?? 0) - (a.found?.message.timestamp ?? 0))];
}

function messageRow(organization: Organization, {account, minute}: Frame, message: Message): MessageRow {
  const sender = userName(account, message.senderId, message.senderName);
  return {
    key: `${organization.name} ${message.id}`,
    label: composed`${organization.mark} ${sender}: ${excerpt(message.content, messageContext(account), message.facts)}`,
    right: composed`${conversationRowTitle(account, conversationOf(message))}  ${ageText(message.timestamp * 1000, minute)}`,
    rightRole: 'dim',
    found: {organization, message},
  };
}
