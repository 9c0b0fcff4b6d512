import type {RenderOptions} from '#content/render/render-options.ts';
import type {AccountState} from '#state/state.ts';
import type {Theme} from '#theme/themes.ts';
import type {KeyGuide} from './key-guide.ts';
import type {ScreenState} from './screen-state.ts';

/** How this terminal and this person want things shown. */
export interface DisplayOptions {
  readonly theme: Theme;
  readonly depth: 'mono' | '16' | '256' | 'true';
  readonly hasHyperlinks: boolean;
  readonly glyphs: 'unicode' | 'ascii';
  readonly emoji: NonNullable<RenderOptions['emoji']>;
  /** IANA name of the reader's time zone; undefined is the machine's own. */
  readonly zone: string | undefined;
  /** Colours of code, as far as they are ready. Another function when there are more. */
  readonly highlight?: RenderOptions['highlight'];
}

/** All that a picture is made from: the same frame, the same picture. */
export interface Frame {
  readonly account: AccountState;
  readonly screen: ScreenState;
  readonly display: DisplayOptions;
  /** Milliseconds since the epoch, by the minute: what is shown of time needs no more. */
  readonly minute: number;
  readonly info: AppInfo;
}

/** What stays the same while the program runs on this account. */
export interface AppInfo {
  readonly accountName: string;
  /** How many accounts there are to switch between. */
  readonly accountCount: number;
  readonly isExploring: boolean;
  readonly isReadOnly: boolean;
  /** Somebody who is signed out can be asked for a password here. */
  readonly canLogIn?: boolean | undefined;
  /** What the keys do. */
  readonly keys?: KeyGuide | undefined;
}
