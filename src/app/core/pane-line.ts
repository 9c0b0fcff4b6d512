import type {Hyperlinks} from '#content/styled-text/ansi.ts';
import type {Line} from '#content/styled-text/line.ts';
import type {UiRole} from '#theme/roles.ts';

/** One row of a pane. The same object while it says the same, so that it is painted once. */
export interface PaneLine extends Line<UiRole> {
  /** Where the links of its spans lead, for terminals that make them clickable. */
  readonly hyperlinks?: Hyperlinks | undefined;
}
