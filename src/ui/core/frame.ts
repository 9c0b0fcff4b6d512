import type {RenderOptions} from '#content/render/render-options.ts';
import {type FetchKey, type FetchState, type FetchStates, fetchId, idleFetch} from '#state/fetches/fetch-state.ts';
import type {AccountState} from '#state/state.ts';
import {memoizeLast, RecentResults, sameArguments} from '#std/memo.ts';
import type {Theme} from '#theme/themes.ts';
import type {KeyGuide} from './key-guide.ts';
import type {ScreenState} from './screen-state.ts';

/** The display settings: what the terminal supports and what the user chose. */
export interface DisplayOptions {
  readonly theme: Theme;
  readonly depth: 'mono' | '16' | '256' | 'true';
  readonly hasHyperlinks: boolean;
  readonly glyphs: 'unicode' | 'ascii';
  readonly emoji: NonNullable<RenderOptions['emoji']>;
  /** IANA name of the reader's time zone; undefined is the machine's own. */
  readonly zone: string | undefined;
  /** Whether previews of linked pages are shown. */
  readonly linkPreviews: boolean;
  /** Syntax highlighting of code, as far as it is loaded. A new function when more is loaded. */
  readonly highlight?: RenderOptions['highlight'];
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
