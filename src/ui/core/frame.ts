import type {RenderOptions} from '#content/render/render-options.ts';
import type {Hyperlinks} from '#content/styled-text/ansi.ts';
import type {ClusterWidths} from '#content/styled-text/cluster-widths.ts';
import type {Line} from '#content/styled-text/line.ts';
import type {Bidi} from '#content/styled-text/right-to-left.ts';
import {type FetchKey, type FetchState, type FetchStates, fetchId, idleFetch} from '#state/fetches/fetch-state.ts';
import type {FetchRequest} from '#state/fetches/kept-queries.ts';
import type {Conversation} from '#state/model/conversation.ts';
import {
  channelIdOfNarrow,
  combinedFeedNarrow,
  conversationOfNarrow,
  type Narrow,
  narrowKey,
} from '#state/model/narrow.ts';
import type {AccountState} from '#state/state.ts';
import type {LocaleFormat} from '#std/locale-format.ts';
import {memoByInputs} from '#std/memo.ts';
import type {DrawnProtocol, EncodedImage, ImageTarget} from '#terminal/images/encode-image.ts';
import type {CellBox, PixelSize} from '#terminal/images/fit-image.ts';
import type {UiRole} from '#theme/roles.ts';
import type {Theme} from '#theme/themes.ts';
import type {GlyphSetName} from '#wording/ui-glyphs.ts';
import type {ScreenState} from './screen-state.ts';
import type {ToastMessage} from './toast-message.ts';

/** The display settings: what the terminal supports and what the user chose. */
export interface DisplayOptions {
  readonly theme: Theme;
  readonly depth: 'mono' | '16' | '256' | 'true';
  readonly hasHyperlinks: boolean;
  readonly glyphs: GlyphSetName;
  readonly bidi: Bidi;
  /** Changes that answer no key are painted only this long after the last one; undefined: soon. */
  readonly heldMs?: number | undefined;
  /** How the terminal counts characters that terminals count differently; `text-width.ts` measures by it. */
  readonly clusterWidths?: ClusterWidths;
  readonly emoji: NonNullable<RenderOptions['emoji']>;
  /** IANA name of the reader's time zone; undefined is the machine's own. */
  readonly zone: string | undefined;
  /** How dates and times are written where the account does not say; undefined is the plain format. */
  readonly locale?: LocaleFormat;
  /** Whether previews of linked pages are shown. */
  readonly linkPreviews: boolean;
  /** Syntax highlighting of code, as far as it is loaded. A new function when more is loaded. */
  readonly highlight?: RenderOptions['highlight'];
  /** Undefined where no images are shown. */
  readonly images?: ImageDisplay | undefined;
}

/** The input of one paint. The same frame always gives the same lines. */
export interface Frame {
  readonly account: AccountState;
  /** The fetches that run or failed, and the results that are kept, as the query cache has them. */
  readonly fetches: FetchStates;
  readonly screen: ScreenState;
  readonly display: DisplayOptions;
  /** Milliseconds since the epoch, rounded down to the minute: no shown time is more precise. */
  readonly minute: number;
  readonly info: AppInfo;
  /** Whether the undo history has an action of this program run. */
  readonly canUndo: boolean;
  /** Whether something that was undone in this program run can be redone. */
  readonly canRedo: boolean;
  /** The organizations shown together with this one; undefined where it is alone, and while it is not on screen. */
  readonly organizations?: Organizations | undefined;
}

/** Returns whether a fetch runs, or why it failed. */
export function fetchState({fetches}: Pick<Frame, 'fetches'>, key: FetchKey): FetchState {
  return fetches.get(fetchId(key)) ?? idleFetch;
}

interface Fetched<T> extends FetchState {
  readonly data?: T | undefined;
}

/** Returns what a request fetched last, whether that is fetched again, and why it could not be. */
export function fetched<T>(frame: Pick<Frame, 'fetches'>, {key}: FetchRequest<T>): Fetched<T> {
  // The key says what was fetched.
  return fetchState(frame, key) as Fetched<T>;
}

/** The facts about the account and the program that stay the same until the program ends. */
export interface AppInfo {
  readonly accountName: string;
  /** The name of the account's files on disk: unlike `accountName`, no other account has it. */
  readonly accountId?: string | undefined;
  /** Number of accounts to switch between. */
  readonly accountCount: number;
  readonly isExploring: boolean;
  readonly isReadOnly: boolean;
  /** Parley's version, for the card about the server. */
  readonly version?: string | undefined;
  /** Whether the program can ask for a password when the account is signed out. */
  readonly canLogIn?: boolean | undefined;
  /** Why the account's API key cannot be replaced here. */
  readonly keyProblem?: string | undefined;
  /** Describes the keys, for hints and help. */
  readonly keys?: KeyGuide | undefined;
  /** The info of the app, in a frame that was made from one of its frames. */
  readonly owner?: AppInfo | undefined;
}

/** Returns the object that ends with the app of a frame: what is remembered of its frames ends with it. */
export function frameOwner({info}: Pick<Frame, 'info'>): object {
  return info.owner ?? info;
}

/** Memoizes a function of the frame by its inputs, see `memoByInputs`. */
export function memoByFrame<T, Rest extends readonly unknown[] = []>(
  inputs: (frame: Frame, ...rest: Rest) => readonly unknown[],
  compute: (frame: Frame, ...rest: Rest) => T,
  maxResults?: number,
  reuse?: (now: T, before: T | undefined) => T,
): (frame: Frame, ...rest: Rest) => T {
  return memoByInputs(frameOwner, inputs, compute, maxResults, reuse);
}

/** One painted row of a pane. The object stays the same while its content does, so that it is painted once. */
export interface PaneLine extends Line<UiRole> {
  /** The link targets of its spans, for terminals with clickable links. */
  readonly hyperlinks?: Hyperlinks | undefined;
}

/** A key and a short label of its effect. */
export interface KeyHint {
  readonly key: string;
  readonly label: string;
}

/** Describes the keys for the panes that show hints; made from the commands and the keymap. */
export interface KeyGuide {
  /** Whether keys are commands (NAV), type text (WRITE) or choose a row (PICK) now. */
  mode(screen: ScreenState): 'NAV' | 'WRITE' | 'NORMAL' | 'PICK';
  /** Returns the hints for the frame, the most useful first; with `columns`, no more than fit into a row of this width need. */
  hints(frame: Frame, columns?: number): readonly KeyHint[];
  /** Returns the hints of the inbox, also below an overlay. */
  inboxHints(frame: Frame): readonly KeyHint[];
  /** Returns the hints for the palette and the help; the last one is never left out. */
  moreHints(frame: Frame): readonly KeyHint[];
  /** Returns a key that runs one of the commands now; undefined when none of them can run. */
  workingKey(frame: Frame, ids: readonly string[]): string | undefined;
  /** Returns the key of a command, such as `Ctrl-G`; its name in the palette if it has no key. */
  keyOf(commandId: string): string;
  /** Returns the keys that can follow the keys pressed so far. */
  continuations(screen: ScreenState): readonly KeyHint[];
}

/** The tabs of the list of all channels. */
export const channelTabs = ['all', 'subscribed', 'others', 'archived'] as const;
export type ChannelTab = (typeof channelTabs)[number];

export const draftsTabs = ['drafts', 'outbox', 'scheduled', 'reminders'] as const;
export type DraftsTab = (typeof draftsTabs)[number];

/** The content of the main pane. */
export type View =
  | {readonly kind: 'inbox'}
  /** The inbox, one conversation at a time. */
  | {readonly kind: 'triage'}
  | {readonly kind: 'recent'}
  /** What happened in an absence: unread messages from `since` (UNIX seconds) to the message `upTo`. */
  | {readonly kind: 'catchUp'; readonly since: number; readonly upTo: number}
  | {readonly kind: 'directs'}
  | {readonly kind: 'topics'; readonly channelId: number}
  /** All channels, to subscribe and unsubscribe. */
  | {readonly kind: 'channels'; readonly tab?: ChannelTab}
  | {readonly kind: 'people'}
  | {readonly kind: 'drafts'; readonly tab: DraftsTab}
  | MessagesView;

/** The messages of a narrow. */
export interface MessagesView {
  readonly kind: 'messages';
  readonly narrow: Narrow;
  /** The search text that gave this narrow. */
  readonly query?: string | undefined;
}

export function messagesView(narrow: Narrow, query?: string): MessagesView {
  return {kind: 'messages', narrow, query};
}

/** Identifies a view: equal keys mean the same view. */
export function viewKey(view: View): string {
  switch (view.kind) {
    case 'messages':
      return `messages ${narrowKey(view.narrow)}`;
    case 'topics':
      return `topics ${view.channelId}`;
    default:
      return view.kind;
  }
}

export function sameView(a: View, b: View): boolean {
  return viewKey(a) === viewKey(b);
}

/** Returns the conversation that the main pane shows in full. */
export function shownConversation({view}: {readonly view: View}): Conversation | undefined {
  return view.kind === 'messages' ? conversationOfNarrow(view.narrow) : undefined;
}

/** Returns the channel that a view is about. */
export function viewChannelId(view: View): number | undefined {
  if (view.kind === 'topics') return view.channelId;
  return view.kind === 'messages' ? channelIdOfNarrow(view.narrow) : undefined;
}

/** An image that is shown in a box of cells. `fitCells` computes the box from the size that the server says. */
export interface ImageRequest extends CellBox {
  /** The path of an upload (`/user_uploads/…`), or another path or address of the account's own server. */
  readonly href: string;
  /** Whether it is an emoji in a line of text. */
  readonly isEmoji?: true | undefined;
}

/** `failed`: the reason is a sentence for the user. */
export type ImageState =
  | {readonly kind: 'loading'}
  | {readonly kind: 'failed'; readonly reason: string}
  | {readonly kind: 'ready'; readonly image: EncodedImage};

/** How images are shown. It stays the same when an image was loaded: `ScreenState.imageChanges` says that. */
export interface ImageDisplay {
  readonly protocol: DrawnProtocol;
  readonly cell: PixelSize;
  /** The height of a preview in a message. */
  readonly maxRows: number;
  /** The addresses of emoji that could not be loaded: their names are shown. The same object while nothing in it changes. */
  readonly failedEmoji?: {has(href: string): boolean};
  /** Returns what is known of the image now. It requests nothing: `ImageLoader.setVisible` does. */
  get(request: ImageRequest): ImageState;
}

/** Loads the images that are on the screen. */
export interface ImageLoader {
  /** Says how the terminal shows images, if at all, and the height of previews. All images are loaded again. */
  setTarget(target: ImageTarget | undefined, maxRows: number): void;
  /**
   * Says which images the painted frame shows. Those that are missing are loaded, and what is no longer shown is not loaded any more.
   * `ScreenState.imageChanges` changes when one is ready or failed; its upload was written before.
   */
  setVisible(requests: readonly ImageRequest[]): void;
  /** Loads images again that could not be loaded. */
  retry(): void;
  /** The terminal may have lost all images: those on the screen are uploaded again, before the next frame. */
  terminalReset(): void;
  /** Returns the sequences that remove all images from the terminal, for the end of the program. */
  removal(): string;
}

/** How the lists of several organizations are arranged. */
export type Arrangement = 'grouped' | 'mixed';

/** An open account among others, as the shown account's lists need it. */
export interface Organization {
  /** Its number in the list of accounts, from 0. */
  readonly index: number;
  readonly name: string;
  /** The short name before each of its rows. */
  readonly mark: string;
  readonly isShown: boolean;
  /** The last frame of an organization that is not shown. Undefined for the shown one, and until it is open. */
  readonly frame: Frame | undefined;
  /** Why its rows are missing or may be outdated, after its name: `logged out`. */
  readonly problem: string | undefined;
}

/** The organizations whose rows are shown together, in the order of their numbers. */
export interface Organizations {
  readonly arrangement: Arrangement;
  readonly all: readonly Organization[];
}

/** Returns the frame of each organization that the lists show, in the order of their numbers; the only frame of one. */
export function organizationFrames(
  frame: Frame,
): readonly {readonly organization?: Organization; readonly frame: Frame}[] {
  const all = frame.organizations?.all.flatMap((organization) => {
    const its = organization.isShown ? frame : organization.frame;
    return its === undefined ? [] : [{organization, frame: its}];
  });
  return all ?? [{frame}];
}

const minMark = 2;
const maxMark = 4;

/** Returns a short and different mark for each name: its first letters, or its number where those do not differ. */
export function organizationMarks(names: readonly string[]): readonly string[] {
  for (let length = minMark; length <= maxMark; length++) {
    const marks = names.map((name) => [...name].slice(0, length).join(''));
    if (new Set(marks).size === names.length) return marks;
  }
  return names.map((_, index) => String(index + 1));
}

/** Separates the name of an organization from the key of its row. Neither contains it. */
const separator = '\u001f';

/** Returns the key that a row of another organization has in the shown list. */
export function keyInOrganization(name: string, key: string): string {
  return name + separator + key;
}

/** Returns the key that the row has in its own organization's list; undefined for a row of another one. */
export function keyWithin(name: string, key: string): string | undefined {
  return key.startsWith(name + separator) ? key.slice(name.length + separator.length) : undefined;
}

/** Returns the key that the row has in its own organization's list, of whichever organization it is. */
export function keyInOwnList(key: string): string {
  return key.slice(key.indexOf(separator) + 1);
}

/** Returns a toast's text with the key that works in the frame; `tail` is its end, which is shown whole if possible. */
export function shownToast(frame: Frame, {text, hint, offer, note}: ToastMessage): {text: string; tail: string} {
  const key = offer && frame.info.keys?.workingKey(frame, offer.commands);
  const parts = [hint, key && `${key} ${offer?.label}`, note].filter((part) => part !== undefined);
  const tail = parts.length === 0 ? '' : ` · ${parts.at(-1)}`;
  return {text: [text, ...parts].join(' · '), tail};
}

/** Returns the frame without overlays and pressed keys: the panes below stay as they are. */
export function paneFrame(frame: Frame): Frame {
  const {overlays, prefix} = frame.screen;
  if (overlays.length === 0 && prefix.length === 0) return frame;
  return {...frame, screen: {...frame.screen, overlays: [], prefix: []}};
}

/** Returns the key for a text in a pane, whatever lies over it; undefined where none runs one of the commands. */
export function paneKey(frame: Frame, commands: readonly string[]): string | undefined {
  return frame.info.keys?.workingKey(paneFrame(frame), commands);
}

/** Returns the home view of the account's settings. */
export function homeView({settings}: Pick<AccountState, 'settings'>): View {
  switch (settings.webHomeView) {
    case 'recent':
    case 'recent_topics': // Its name on older servers.
      return {kind: 'recent'};
    case 'all_messages':
      return messagesView(combinedFeedNarrow);
    default:
      return {kind: 'inbox'};
  }
}
