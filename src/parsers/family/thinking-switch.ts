type Kwargs = Readonly<Record<string, unknown>>;

/** Python's truth of a JSON value. */
export function isTrue(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === 0 || value === '') return false;
  if (Array.isArray(value)) return value.length > 0;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/** Whether a request lets the model think, where `enable_thinking` alone decides and the default is yes. */
export function enablesThinking(kwargs: Kwargs): boolean {
  return Object.hasOwn(kwargs, 'enable_thinking') ? isTrue(kwargs['enable_thinking']) : true;
}

/** The same where `thinking` counts too: yes if one of both says so, or none says anything. */
export function thinksByEitherName(kwargs: Kwargs): boolean {
  const { thinking, enable_thinking: enabled } = kwargs;
  if ((thinking ?? null) === null && (enabled ?? null) === null) return true;
  return isTrue(thinking) || isTrue(enabled);
}
