import type {RenderOptions} from '#content/render/render-options.ts';
import type {Hyperlinks} from '#content/styled-text/ansi.ts';
import type {ClusterWidths} from '#content/styled-text/cluster-widths.ts';
import type {Line} from '#content/styled-text/line.ts';
import type {Bidi} from '#content/styled-text/right-to-left.ts';
import {type FetchKey, type FetchState, type FetchStates, fetchId, idleFetch} from '#state/fetches/fetch-state.ts';
import type {Conversation} from '#state/model/conversation.ts';
import {channelIdOfNarrow, conversationOfNarrow, type Narrow, narrowKey} from '#state/model/narrow.ts';
import type {AccountState} from '#state/state.ts';
import type {LocaleFormat} from '#std/locale-format.ts';
import {memoizeLast, RecentResults, sameArguments} from '#std/memo.ts';
import type {UiRole} from '#theme/roles.ts';
import type {Theme} from '#theme/themes.ts';
import type {ImageDisplay} from './images.ts';
import type {Organizations} from './organizations.ts';
import type {ScreenState} from './screen-state.ts';

/** The display settings: what the terminal supports and what the user chose. */
export interface DisplayOptions {
  readonly theme: Theme;
  readonly depth: 'mono' | '16' | '256' | 'true';
  readonly hasHyperlinks: boolean;
  /** `words`: for a screen reader, with words in place of symbols and nothing that is only decoration. */
  readonly glyphs: 'unicode' | 'ascii' | 'words';
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
  /** The fetches that run or failed, as the query cache has them. */
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

/** The facts about the account and the program that stay the same until the program ends. */
export interface AppInfo {
  readonly accountName: string;
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
}

/**
 * Memoizes a function of the frame by its inputs. It keeps the last two results unless `maxResults` says otherwise.
 * `compute` must read nothing but the inputs. Repeated calls with the same frame do not even compare the inputs.
 */
export function memoByFrame<T, Rest extends unknown[] = []>(
  inputs: (frame: Frame, ...rest: Rest) => readonly unknown[],
  compute: (frame: Frame, ...rest: Rest) => T,
  maxResults?: number,
): (frame: Frame, ...rest: Rest) => T {
  const results = new RecentResults<readonly unknown[], T>(maxResults);
  return memoizeLast((frame: Frame, ...rest: Rest) =>
    results.get(inputs(frame, ...rest), sameArguments, () => compute(frame, ...rest)),
  );
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
  /** Returns the hints for the frame, the most useful first. */
  hints(frame: Frame): readonly KeyHint[];
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
