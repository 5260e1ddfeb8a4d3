/**
 * Builds model directories that are missing or were built from something else.
 * @param options names of models (default all), where the packages are, and where to put the directories
 * @returns the folder that holds the directories
 */
export function buildModels(options?: { only?: readonly string[]; nodeModules?: string; out?: string }): string;
