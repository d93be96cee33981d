package doc

// SlugLength is how long the slug of a phase may be, in bytes. A slug is the part
// of a directory's name that is for people (text.LetterSlug).
const SlugLength = 60
