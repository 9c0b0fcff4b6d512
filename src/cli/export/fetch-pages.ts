import {isApiFailure, isRefusal} from '#api/failure.ts';
import type {StateContext} from '#cli/account-access/with-state.ts';
import {messageTextOptions, organizationUrl} from '#cli/messages/message-text.ts';
import {wireNarrow} from '#state/fetches/fetch-page.ts';
import {messageFromWire} from '#state/model/message.ts';
import type {Narrow} from '#state/model/narrow.ts';
import type {FetchedMessage} from '#wire/objects/message.ts';
import type {ExportFolder} from './export-folder.ts';
import {type ExportedMessage, exportedMessage, fetchVersions} from './exported-message.ts';
import {type FileSaver, uploadsIn} from './save-files.ts';

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
export async function fetchPages(
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
