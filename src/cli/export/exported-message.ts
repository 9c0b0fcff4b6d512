import {isRefusal} from '#api/failure.ts';
import type {StateContext} from '#cli/account-access/with-state.ts';
import {messageJson} from '#cli/messages/message-json.ts';
import type {MessageTextOptions} from '#cli/messages/message-text.ts';
import {readRenderedFacts} from '#content/read-rendered-facts.ts';
import {pollState, todoState} from '#content/widgets/widgets.ts';
import type {Message} from '#state/model/message.ts';
import {userName} from '#state/selectors/names/names.ts';
import {editHistoryVisibility} from '#state/selectors/permissions/organization-permissions.ts';
import type {AccountState} from '#state/state.ts';
import type {SavedFile} from './save-files.ts';

/** A version of a message's text. */
export interface ExportedVersion {
  readonly time: string;
  readonly userName: string | null;
  readonly topic: string;
  readonly content: string;
  readonly html: string;
}

type Widget =
  | {
      readonly kind: 'poll';
      readonly question: string;
      readonly options: readonly {readonly text: string; readonly voters: readonly string[]}[];
    }
  | {
      readonly kind: 'todo';
      readonly title: string;
      readonly tasks: readonly {readonly task: string; readonly description: string; readonly done: boolean}[];
    };

/** A line of the exported messages: what `parley read --json` prints, and what the pages show besides. */
export type ExportedMessage = Omit<ReturnType<typeof messageJson>, 'reactions'> & {
  readonly conversationKey: string;
  readonly isMe: boolean;
  readonly reactions: readonly (Message['reactions'][number] & {readonly userName: string})[];
  /** The server's rendering, as the server sent it. */
  readonly html: string;
  readonly widget: Widget | null;
  /** The versions from the first to the current one; null when it was not edited or the server does not show them. */
  readonly history: readonly ExportedVersion[] | null;
  readonly files: readonly SavedFile[];
};

export function exportedMessage(
  state: AccountState,
  parts: Pick<ExportedMessage, 'html' | 'files' | 'history' | 'isUnread'> & {readonly message: Message},
  options: MessageTextOptions,
): ExportedMessage {
  const {html, files, history, isUnread} = parts;
  const message: Message = {...parts.message, facts: readRenderedFacts(html, parts.message.content)};
  return {
    ...messageJson(state, message, isUnread, options),
    conversationKey: message.conversationKey,
    isMe: message.isMe,
    reactions: message.reactions.map((one) => ({...one, userName: userName(state, one.userId)})),
    html,
    widget: widgetOf(state, message),
    history,
    files,
  };
}

function widgetOf(state: AccountState, {submessages, senderId}: Message): Widget | null {
  if (submessages.length === 0) return null;
  const poll = pollState(submessages, senderId);
  if (poll !== undefined) {
    const options = poll.options.map(({text, voters}) => ({text, voters: voters.map((id) => userName(state, id))}));
    return {kind: 'poll', question: poll.question, options};
  }
  const todo = todoState(submessages, senderId);
  if (todo === undefined) return null;
  const tasks = todo.tasks.map(({task, description, done}) => ({task, description, done}));
  return {kind: 'todo', title: todo.title, tasks};
}

/** Fetches the versions of an edited message, where the organization shows them. */
export async function fetchVersions({api, state}: StateContext, message: Message): Promise<ExportedMessage['history']> {
  if (message.editedAt === undefined || editHistoryVisibility(state) !== 'all') return null;
  try {
    const {message_history: versions} = await api.getMessageHistory({message_id: message.id});
    return versions.map((version) => ({
      time: new Date(version.timestamp * 1000).toISOString(),
      userName: version.user_id === null ? null : userName(state, version.user_id),
      topic: version.topic,
      content: version.content,
      html: version.rendered_content,
    }));
  } catch (error) {
    // The message was deleted meanwhile, or the account may not see its versions.
    if (isRefusal(error)) return null;
    throw error;
  }
}
