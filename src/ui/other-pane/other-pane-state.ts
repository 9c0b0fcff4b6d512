import type {ComposerState} from '#ui/composer/composer-state.ts';
import type {ScreenState} from '#ui/core/screen-state.ts';
import type {TimelineState} from '#ui/message-pane/timeline-state.ts';

/** How two panes divide the main area: side by side, or one below the other. */
export type PaneDirection = 'beside' | 'below';

/** The view that is shown beside or below the focused one, with everything that is its own. Moving the focus swaps both. */
export interface OtherPane extends Pick<ScreenState, 'view' | 'back' | 'forward' | 'focus'> {
  /** The number of the organization that it shows; undefined for that of the focused pane. */
  readonly organization?: number | undefined;
  /** Its position among its messages: `timelines` has that of the focused pane, which may show the same view. */
  readonly timeline: TimelineState | undefined;
  /** The newest message when it lost the focus: the unread separator moves only for later ones. */
  readonly newestKnown: number;
  /** Its open composer; the text is also saved as a draft. */
  readonly composer: ComposerState | undefined;
  readonly direction: PaneDirection;
  /** Whether it is the left or upper one. */
  readonly isFirst: boolean;
  /** Whether the focused pane has the whole area. */
  readonly isZoomed: boolean;
}

declare module '#ui/core/screen-state.ts' {
  interface ScreenState {
    readonly otherPane?: OtherPane | undefined;
  }
}

/** Returns the pane without the focus if it shows the account of the focused one: its view has a meaning there only. */
export function ownOtherPane({otherPane}: Pick<ScreenState, 'otherPane'>): OtherPane | undefined {
  return otherPane?.organization === undefined ? otherPane : undefined;
}
