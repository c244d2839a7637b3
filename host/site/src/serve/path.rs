//! From a request's path to a site's file.

/// What a site's files are, by the end of their names.
const TYPES: [(&str, &str); 4] = [
    ("html", "text/html; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("json", "application/json"),
];

/// The file that a request's path names, and its type; none where no site has such a file. Names of a site's files have
/// letters, digits, `.`, `_` and `-`, and none begins with `.`: an encoded path, a parent or a hidden file is no file of it.
pub(super) fn file(path: &str) -> Option<(&str, &'static str)> {
    let path = match path.strip_prefix('/')? {
        "" => "index.html",
        path => path,
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let is_name = |name: &str| !name.is_empty() && !name.starts_with('.') && name.chars().all(plain);
    if !path.split('/').all(is_name) {
        return None;
    }
    let (_, extension) = path.rsplit_once('.')?;
    let (_, kind) = TYPES.iter().find(|(known, _)| *known == extension)?;
    Some((path, kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_a_site_have_their_types() {
        assert_eq!(file("/"), Some(("index.html", "text/html; charset=utf-8")));
        assert_eq!(file("/traces/t/e/0.js"), Some(("traces/t/e/0.js", "text/javascript; charset=utf-8")));
    }

    #[test]
    fn nothing_else_is_a_file() {
        let others = [
            "",
            "index.html",
            "//etc/passwd.js",
            "/../secret.js",
            "/data/../../secret.js",
            "/data//site.js",
            "/data/",
            "/%2e%2e/secret.js",
            "/data%2fsite.js",
            "/.git/config.js",
            "/..js",
            "/data/site",
            "/id_rsa",
            "/data\\site.js",
            "/C:/secret.js",
            "/data/site.js\0",
            "/data/site.js?x",
            "/ü.js",
            "http://evil/x.js",
            "*",
        ];
        for path in others {
            assert_eq!(file(path), None, "{path}");
        }
    }
}
