import type {UiRole} from '#theme/roles.ts';
import {blankLine, type UiLine} from '#ui/layout/ui-line.ts';
import {cardTextField, paragraph} from '#ui/overlays/card-lines.ts';

/** A named value of a card; a title begins a group of them. */
export type Fact =
  | {readonly title: string}
  | {
      readonly name: string;
      readonly value: string;
      readonly role?: UiRole;
      /** The value may contain words of messages, so it is not copied. */
      readonly isPrivate?: true;
    };

/** Returns the lines of a card; facts without a value are left out. */
export function factLines(facts: readonly Fact[], width: number): readonly UiLine[] {
  return facts.flatMap((fact, at) =>
    'title' in fact
      ? [...(at === 0 ? [] : [blankLine]), ...paragraph(fact.title, 'title', width)]
      : cardTextField(fact.name, fact.value, width, fact.role),
  );
}

/** Returns the text to copy: one line for each fact that is not private. */
export function factText(facts: readonly Fact[]): string {
  return facts
    .flatMap((fact) => {
      if ('title' in fact) return [`# ${fact.title}`];
      return fact.value === '' || fact.isPrivate === true ? [] : [[fact.name, fact.value].filter(Boolean).join(': ')];
    })
    .join('\n');
}
