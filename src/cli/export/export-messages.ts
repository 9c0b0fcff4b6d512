import {resolve} from 'node:path';
import {messageNeeds, type StateContext} from '#cli/account-access/with-state.ts';
import {type CliIo, printNotice, UsageError, writeControls} from '#cli/io.ts';
import {narrowFromWords, requireAccess, savedViewsOf, viewNeeds} from '#cli/messages/destination-arguments.ts';
import {type MessageTextOptions, messageJson, messageTextOptions, organizationUrl} from '#cli/messages/message-text.ts';
import {stateVerb} from '#cli/verbs/account-verb.ts';
import {resolveLinks} from '#cli/verbs/read.ts';
import type {VerbArguments, VerbResult, VerbRunner} from '#cli/verbs/verb-table.ts';
import {readRenderedFacts} from '#content/read-rendered-facts.ts';
import {pollState, todoState} from '#content/widgets/widgets.ts';
import {wireNarrow} from '#state/fetches/fetch-page.ts';
import {initialState} from '#state/initial-state.ts';
import {type Message, messageFromWire} from '#state/model/message.ts';
import type {Narrow} from '#state/model/narrow.ts';
import {userName} from '#state/selectors/names/names.ts';
import {editHistoryVisibility} from '#state/selectors/permissions/people-permissions.ts';
import type {AccountState} from '#state/state.ts';
import {withoutIsolates} from '#std/composed-text.ts';
import {isApiFailure, isRefusal} from '#wire/failure.ts';
import type {FetchedMessage} from '#wire/objects/message.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import {type ExportFolder, openExportFolder, withFileFailures} from './export-folder.ts';
import {htmlFormat} from './html-format.ts';
import {markdownFormat} from './markdown-format.ts';
import {type FileSaver, fileSaver, type SavedFile, uploadsIn} from './save-files.ts';
import {writePages} from './write-pages.ts';

const defaultMaxFile = 100;
/** The number of messages between two lines of progress when the output is not a terminal. */
const progressStep = 10_000;

const exportMessages: VerbRunner<'export'> = stateVerb(
  ({values, words}) => {
    const out = words.at(-1) ?? '';
    const narrowWords = words.slice(0, -1);
    if (out.trim() === '') throw new UsageError('Name the folder to save to.');
    if (values.all && narrowWords.length > 0) throw new UsageError('Give either NARROW or --all, not both.');
    if (!values.all && narrowWords.join('').trim() === '') {
      throw new UsageError('Name what to save, and then the folder; or use --all for all conversations.');
    }
    // All users, because messages name those who voted and reacted by id.
    return {fetch: [...messageNeeds, ...viewNeeds(narrowWords)], people: 'all', out, narrowWords};
  },
  async ({matching, values, ...initialContext}, {out, narrowWords}) => {
    // Muted users are named in one's own copy.
    const context = {...initialContext, state: {...initialContext.state, mutedUsers: initialState.mutedUsers}};
    const {state, api, io} = context;
    const named = narrowFromWords(state, narrowWords, matching, () => savedViewsOf(context));
    const {narrow} = await resolveLinks(context, named);
    const path = resolve(io.cwd, out);
    const wire = JSON.stringify(wireNarrow(narrow, state.self.userId));
    return withFileFailures(path, async () => {
      const folder = openExportFolder(path, {site: api.connection.site, userId: state.self.userId, narrow: wire});
      return exportTo(folder, narrow, context, values).finally(() => folder.close());
    });
  },
);

export {exportMessages as export};

async function exportTo(
  folder: ExportFolder,
  narrow: Narrow,
  context: StateContext,
  values: VerbArguments<'export'>['values'],
): Promise<VerbResult> {
  const {state, io} = context;
  const before = folder.messageCount;
  const files = fileSaver(context, folder, (values['max-file'] ?? defaultMaxFile) * 1024 * 1024);
  const progress = progressOf(io, folder, files);
  const {isLimited} = await fetchPages(context, narrow, folder, files, progress.show).finally(progress.end);
  if (folder.messageCount === 0) requireAccess(state, narrow, io.clock.now());
  const {format = 'html'} = values;
  const pageFormat = format === 'jsonl' ? undefined : format === 'html' ? htmlFormat : markdownFormat;
  if (pageFormat !== undefined) await writePages(folder, pageFormat, organizationUrl(state));
  const start = pageFormat === undefined ? folder.fileAt('messages.jsonl') : folder.fileAt(`index.${pageFormat.name}`);
  if (isLimited) printNotice(io, 'The server does not show older messages to this organization.');
  if (files.problemCount > 0) {
    printNotice(io, `${countedNoun(files.problemCount, 'file')} could not be saved. The messages say why.`);
  }
  const added = folder.messageCount - before;
  const counts = countedNoun(added, before === 0 ? 'message' : 'new message');
  return {
    json: {messages: folder.messageCount, added, files: files.saved, unsavedFiles: files.problemCount, start},
    text: `Saved ${counts} and ${countedNoun(files.saved, 'file')}: ${start}`,
  };
}

/** Shows the progress on standard error: on one line of a terminal, and otherwise now and then on a line of its own. */
function progressOf(io: CliIo, folder: ExportFolder, files: FileSaver) {
  let printed = folder.messageCount;
  const text = () => `${countedNoun(folder.messageCount, 'message')}, ${countedNoun(files.saved, 'file')}`;
  return {
    show: () => {
      if (io.outputIsTty) writeControls(io.stderr, `\r${text()}\u001b[K`);
      else if (folder.messageCount - printed >= progressStep) {
        printed = folder.messageCount;
        printNotice(io, text());
      }
    },
    end: () => {
      if (io.outputIsTty) writeControls(io.stderr, '\r\u001b[K');
    },
  };
}

/** Small enough that an interrupted run repeats little. */
const pageSize = 500;

interface FetchedPage {
  readonly messages: readonly FetchedMessage[];
  /** The renderings by message. */
  readonly html: ReadonlyMap<number, string>;
  readonly isLast: boolean;
  readonly isLimited: boolean;
}

/**
 * Fetches the messages after the last saved one and saves them page by page, so that memory does not depend on their
 * number. Returns whether the server withholds older messages.
 */
async function fetchPages(
  context: StateContext,
  narrow: Narrow,
  folder: ExportFolder,
  files: FileSaver,
  onPage: () => void,
): Promise<{readonly isLimited: boolean}> {
  let isLimited = false;
  for (;;) {
    const page = await fetchPage(context, narrow, folder.lastId, pageSize);
    isLimited ||= page.isLimited;
    const exported: ExportedMessage[] = [];
    for (const wire of page.messages) {
      context.signal.throwIfAborted();
      exported.push(await completeMessage(context, wire, page.html, files));
    }
    if (exported.length > 0) folder.append(exported);
    onPage();
    if (page.isLast) return {isLimited};
  }
}

/** Fetches a page as Markdown and as HTML. A page that is too large for one response is fetched in smaller ones. */
async function fetchPage(context: StateContext, narrow: Narrow, after: number, size: number): Promise<FetchedPage> {
  const {api, state} = context;
  const query = {
    ...(after === 0 ? {anchor: 'oldest' as const} : {anchor: after, include_anchor: false}),
    num_before: 0,
    num_after: size,
    narrow: wireNarrow(narrow, state.self.userId),
    client_gravatar: true,
  };
  try {
    const [source, rendered] = await Promise.all([
      api.getMessages({...query, apply_markdown: false}),
      api.getMessages({...query, apply_markdown: true}),
    ]);
    const messages = source.messages.filter(({id}) => id > after);
    return {
      messages,
      html: new Map(rendered.messages.map(({id, content}) => [id, content])),
      isLast: (source.found_newest ?? true) || messages.length === 0,
      isLimited: source.history_limited === true,
    };
  } catch (error) {
    const isTooLarge = isApiFailure(error) && error.kind === 'malformed' && error.isTooLarge;
    if (!isTooLarge || size === 1) throw error;
    return fetchPage(context, narrow, after, Math.ceil(size / 10));
  }
}

async function completeMessage(
  context: StateContext,
  wire: FetchedMessage,
  rendered: ReadonlyMap<number, string>,
  saver: FileSaver,
): Promise<ExportedMessage> {
  const {state, io} = context;
  const message = messageFromWire(
    wire,
    wire.flags.filter((flag) => flag !== 'read'),
    state.self.userId,
  );
  const html = rendered.get(wire.id) ?? (await fetchRendering(context, wire.id));
  const history = await fetchVersions(context, message);
  const files = [];
  const paths = [html, ...(history ?? []).map((version) => version.html)].flatMap((each) =>
    uploadsIn(each, organizationUrl(state)),
  );
  for (const path of new Set(paths)) files.push(await saver.save(path));
  const isUnread = !wire.flags.includes('read');
  return exportedMessage(state, {message, isUnread, html, files, history}, messageTextOptions(state, io.clock.now()));
}

/** Fetches the rendering of a message that arrived between the two requests of its page. Empty when it was deleted. */
async function fetchRendering({api}: StateContext, id: number): Promise<string> {
  try {
    return (await api.getMessage({message_id: id, apply_markdown: true})).message.content;
  } catch (error) {
    if (isRefusal(error)) return '';
    throw error;
  }
}

/** A line of the exported messages: what `parley read --json` prints, and what the pages show besides. */
export type ExportedMessage = Omit<ReturnType<typeof messageJson>, 'reactions'> & {
  readonly conversationKey: string;
  readonly isMe: boolean;
  readonly reactions: readonly (Message['reactions'][number] & {readonly userName: string})[];
  /** The server's rendering, as the server sent it. */
  readonly html: string;
  readonly widget: ReturnType<typeof widgetOf>;
  /** The versions from the first to the current one; null when it was not edited or the server does not show them. */
  readonly history: Awaited<ReturnType<typeof fetchVersions>>;
  readonly files: readonly SavedFile[];
};

function exportedMessage(
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
    reactions: message.reactions.map((one) => ({...one, userName: plainName(state, one.userId)})),
    html,
    widget: widgetOf(state, message),
    history,
    files,
  };
}

function widgetOf(state: AccountState, {submessages, senderId}: Message) {
  if (submessages.length === 0) return null;
  const poll = pollState(submessages, senderId);
  if (poll !== undefined) {
    const options = poll.options.map(({text, voters}) => ({text, voters: voters.map((id) => plainName(state, id))}));
    return {kind: 'poll' as const, question: poll.question, options};
  }
  const todo = todoState(submessages, senderId);
  if (todo === undefined) return null;
  const tasks = todo.tasks.map(({task, description, done}) => ({task, description, done}));
  return {kind: 'todo' as const, title: todo.title, tasks};
}

/** Fetches the versions of an edited message, where the organization shows them. */
async function fetchVersions({api, state}: StateContext, message: Message) {
  if (message.editedAt === undefined || editHistoryVisibility(state) !== 'all') return null;
  try {
    const {message_history: versions} = await api.getMessageHistory({message_id: message.id});
    return versions.map((version) => ({
      time: new Date(version.timestamp * 1000).toISOString(),
      userName: version.user_id === null ? null : plainName(state, version.user_id),
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

/** Returns the name as a value of the exported data. */
function plainName(state: AccountState, userId: number): string {
  return withoutIsolates(userName(state, userId));
}
