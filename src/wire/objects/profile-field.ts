import {type Infer, int, object, openIntEnum, s} from '#wire/schema.ts';

export const profileFieldTypes = {
  shortText: 1,
  paragraph: 2,
  dropdown: 3,
  date: 4,
  url: 5,
  user: 6,
  externalAccount: 7,
  pronouns: 8,
} as const;
export const profileFieldType = openIntEnum(1, 2, 3, 4, 5, 6, 7, 8);

/** A profile field. `field_data` is JSON text with the choices of a dropdown or the kind of an external account. */
export const profileField = object(
  {id: int, name: s.string(), order: int, type: profileFieldType},
  {
    hint: s.string(),
    field_data: s.string(),
    required: s.boolean(),
    editable_by_user: s.boolean(),
    display_in_profile_summary: s.boolean(),
    use_for_user_matching: s.boolean(),
  },
);
export type WireProfileField = Infer<typeof profileField>;

export const profileFieldTypeTable = s.record(s.string(), object({id: int, name: s.string()}));
