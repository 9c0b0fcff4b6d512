import type {App} from '#app/core/app.ts';
import {openConversation} from '#app/navigation/navigation.ts';
import {openPicker, refreshPicker} from '#app/overlays/picker.ts';
import {fetchPage, messagesRequest} from '#state/fetches/fetch-page.ts';
import type {GetMessagesArgs} from '#state/fetches/open-timelines.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import type {Message} from '#state/model/message.ts';
import {narrowIs} from '#state/model/narrow.ts';
import {conversationRowTitle, userName} from '#state/selectors/names/names.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import type {Frame, Organization} from '#ui/core/frame.ts';
import type {Picker, PickerRow} from '#ui/core/overlay.ts';
import {excerpt, messageContext} from '#ui/format/message-context.ts';
import {failureMessage, isApiFailure} from '#wire/failure.ts';
import {ageText} from '#wording/moment-text.ts';

/** What an organization answered so far. */
interface Answer {
  readonly organization: Organization;
  readonly app: App;
  /** Newest first; undefined until the server answered. */
  readonly messages: readonly Message[] | undefined;
  readonly problem?: string | undefined;
}

interface MessageRow extends PickerRow {
  readonly found?: {readonly app: App; readonly index: number; readonly message: Message};
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
  const id = `all-${collection}`;
  const controller = new AbortController();
  let answers: readonly Answer[] = (app.frame.organizations?.all ?? []).flatMap((organization): readonly Answer[] => {
    const its = organization.isShown ? app : app.accounts.appAt?.(organization.index);
    return its === undefined ? [] : [{organization, app: its, messages: undefined}];
  });
  const picker = (): Picker<MessageRow> => {
    const shown = answers;
    return {
      id,
      title: titles[collection],
      placeholder: 'filter by words',
      columns: 100,
      rowsShown: 12,
      rows: ({minute}, query) => messageRows(shown, query, minute),
      empty: 'No messages.',
      hint: {Enter: 'opens', Esc: 'closes'},
      accept: (from, {found}) => {
        if (found === undefined) return;
        from.closeOverlay();
        if (found.app !== from) from.accounts.show(found.index);
        openConversation(found.app, conversationOf(found.message), {anchor: found.message.id});
      },
      onClose: () => controller.abort(),
    };
  };
  openPicker(app, picker());
  for (const {app: its} of answers) {
    const {context} = its.session;
    const args: GetMessagesArgs = {
      anchor: 'newest',
      num_before: maxMessages,
      num_after: 0,
      narrow: [...narrowIs(collection)],
    };
    const answer = (fields: Partial<Answer>) => {
      answers = answers.map((one) => (one.app === its ? {...one, ...fields} : one));
      refreshPicker(app, id, picker());
    };
    fetchPage(context, {send: messagesRequest(context, args)}, controller.signal).then(
      (messages) => answer({messages: messages.toReversed()}),
      (error: unknown) => answer({messages: [], problem: isApiFailure(error) ? failureMessage(error) : String(error)}),
    );
  }
}

/** Returns the messages of all, the newest first, and above them what is missing. */
function messageRows(answers: readonly Answer[], query: string, minute: Frame['minute']): readonly MessageRow[] {
  const words = query.toLowerCase().split(/\s+/);
  const notes = answers.flatMap(({organization: {name}, messages, problem}): readonly MessageRow[] => {
    const text = messages === undefined ? 'loading…' : problem;
    return text === undefined ? [] : [{key: `note ${name}`, label: `${name}: ${text}`, isTitle: true}];
  });
  const rows = answers.flatMap(({organization, app, messages = []}) =>
    messages.map((message) => messageRow(organization, app, message, minute)),
  );
  const found = rows.filter(({label, right = ''}) => {
    const text = `${label} ${right}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return [...notes, ...found.sort((a, b) => (b.found?.message.timestamp ?? 0) - (a.found?.message.timestamp ?? 0))];
}

function messageRow({index, name, mark}: Organization, app: App, message: Message, minute: number): MessageRow {
  const {state} = app;
  const sender = userName(state, message.senderId, message.senderName);
  return {
    key: `${name} ${message.id}`,
    label: `${mark} ${sender}: ${excerpt(message.content, messageContext(state), message.facts)}`,
    right: `${conversationRowTitle(state, conversationOf(message))}  ${ageText(message.timestamp * 1000, minute)}`,
    rightRole: 'dim',
    found: {app, index, message},
  };
}
