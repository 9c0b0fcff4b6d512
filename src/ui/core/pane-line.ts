import type {Hyperlinks} from '#content/styled-text/ansi.ts';
import type {Line} from '#content/styled-text/line.ts';
import type {UiRole} from '#theme/roles.ts';

/** One painted row of a pane. The object stays the same while its content does, so that it is painted once. */
export interface PaneLine extends Line<UiRole> {
  /** The link targets of its spans, for terminals with clickable links. */
  readonly hyperlinks?: Hyperlinks | undefined;
}
