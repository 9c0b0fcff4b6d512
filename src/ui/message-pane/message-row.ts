import type {RenderOptions} from '#content/render/render-options.ts';
import type {Hyperlinks} from '#content/styled-text/ansi.ts';
import type {Line} from '#content/styled-text/line.ts';
import type {UiRole} from '#theme/roles.ts';

/** The rendered text of a message, without margin and name. */
export interface MessageBody {
  readonly lines: readonly Line[];
  readonly hyperlinks: Hyperlinks | undefined;
  /** The options it was rendered with. */
  readonly bodyOptions: BodyOptions;
  /** Whether it contains code to highlight. */
  readonly hasCode: boolean;
  /** Whether it begins with the words of `BodyOptions.lead`. */
  readonly hasLead: boolean;
}

export interface BodyOptions {
  readonly isExpanded: boolean;
  /** Whether a long message is shown without truncation. */
  readonly isWhole: boolean;
  /** Whether the sender is muted: then it is shown only on request. */
  readonly isHidden: boolean;
  readonly isCollapsed: boolean;
  readonly senderName: string;
  /** A search match: HTML with the words marked. */
  readonly match: string | undefined;
  readonly highlight: RenderOptions['highlight'];
  /** The sender, the time and the state in words, for a screen reader. */
  readonly lead?: string | undefined;
}

/**
 * Whether a row has the cursor, and whether its pane has the keyboard focus. `other`: it is the pane beside or below the focused
 * one.
 */
export type CursorMark = 'none' | 'selected' | 'idle' | 'other';

/** Everything that a message's lines depend on besides the message. */
export interface MessageAppearance {
  readonly body: MessageBody;
  readonly name: string;
  readonly nameRole: UiRole;
  /** False when it continues the message above. */
  readonly showsName: boolean;
  readonly showsTime: boolean;
  readonly mark: CursorMark;
  readonly isUnread: boolean;
  readonly isStarred: boolean;
  /** A line below the message about what is unfinished on this machine. */
  readonly notice: string | undefined;
}
