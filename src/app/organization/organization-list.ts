import type {App} from '#app/core/app.ts';
import type {Frame} from '#ui/core/frame.ts';

/** A list of records of the organization: an entry of its menu, and a command. */
export interface OrganizationList {
  /** Its command is `<id>.list`. */
  readonly id: string;
  readonly title: string;
  /** Behind the title in the menu. */
  readonly detail: string;
  /** Other names that find the command. */
  readonly aliases: readonly string[];
  readonly disabledReason?: ((frame: Frame) => string | undefined) | undefined;
  open(app: App): void;
}

/** Returns the list of a kind of records. */
export function organizationList(
  {list: {id, title}, open}: {readonly list: Pick<OrganizationList, 'id' | 'title'>; readonly open: (app: App) => void},
  more: Omit<OrganizationList, 'id' | 'title' | 'open'>,
): OrganizationList {
  return {id, title, open, ...more};
}
