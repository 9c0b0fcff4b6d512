import {type CamelKeys, camelKeys} from '#std/camel.ts';
import type {WireProfileField} from '#wire/objects/user.ts';
import {savedList} from './saved-json.ts';
import {fromSnapshot, type Slice} from './slice.ts';

export type ProfileField = CamelKeys<WireProfileField>;

export const profileFields: Slice<readonly ProfileField[]> = {
  initial: [],
  registered: fromSnapshot(['custom_profile_fields'], ({custom_profile_fields = []}) =>
    custom_profile_fields.map(camelKeys),
  ),
  saved: savedList({id: 'number', name: 'string', type: 'number'}),
  appliers: {},
};
