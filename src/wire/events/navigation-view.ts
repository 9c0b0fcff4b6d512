import {navigationView} from '#wire/objects/navigation-view.ts';
import {type Infer, nullableText, object, s} from '#wire/schema.ts';
import {eventFieldsWithOp} from './event-fields.ts';

export const navigationViewAdd = object({
  ...eventFieldsWithOp('navigation_view', 'add'),
  navigation_view: navigationView,
});
export const navigationViewUpdate = object({
  ...eventFieldsWithOp('navigation_view', 'update'),
  fragment: s.string(),
  data: object({}, {is_pinned: s.boolean(), name: nullableText}),
});
export const navigationViewRemove = object({
  ...eventFieldsWithOp('navigation_view', 'remove'),
  fragment: s.string(),
});

export type NavigationViewEvent =
  | Infer<typeof navigationViewAdd>
  | Infer<typeof navigationViewUpdate>
  | Infer<typeof navigationViewRemove>;
