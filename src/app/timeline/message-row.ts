import type {PaneLine} from '#app/core/pane-line.ts';
import type {RenderOptions} from '#content/render/render-options.ts';
import type {Hyperlinks} from '#content/styled-text/ansi.ts';
import type {Line} from '#content/styled-text/line.ts';
import type {UiRole} from '#theme/roles.ts';

/** The text of a message as lines, before anything is put around it. */
export interface MessageBody {
  readonly lines: readonly Line[];
  readonly hyperlinks: Hyperlinks | undefined;
  /** What it was made from besides the message. */
  readonly bodyOptions: BodyOptions;
  /** There was code to colour. */
  readonly hasCode: boolean;
}

export interface BodyOptions {
  readonly isExpanded: boolean;
  /** However long it is, nothing of it is cut. */
  readonly isWhole: boolean;
  /** One has muted who wrote it: shown only when asked for. */
  readonly isHidden: boolean;
  readonly isCollapsed: boolean;
  readonly senderName: string;
  /** Where a search found it: HTML with the words marked. */
  readonly match: string | undefined;
  readonly highlight: RenderOptions['highlight'];
}

/** Whether a row has the cursor, and whether its pane has the keys. */
export type CursorMark = 'none' | 'selected' | 'idle';

/** What the lines of a message depend on besides the message. */
export interface MessageAppearance {
  readonly body: MessageBody;
  readonly name: string;
  readonly nameRole: UiRole;
  /** False where it goes on from the message above. */
  readonly showsName: boolean;
  readonly showsTime: boolean;
  readonly mark: CursorMark;
  readonly isUnread: boolean;
  readonly isStarred: boolean;
}

export interface CachedMessageLines {
  readonly look: MessageAppearance;
  readonly lines: readonly PaneLine[];
}
