/** Types this client has no use for; they decode to an unknown event like any type it has never heard of. */
export const ignoredEventTypes = [
  'device',
  'invites_changed',
  'onboarding_steps',
  'realm_billing',
  'realm_export',
  'realm_export_consent',
  'realm_filters',
  'realm_user_settings_defaults',
  'update_display_settings',
  'update_global_notifications',
  'web_reload_client',
] as const;
