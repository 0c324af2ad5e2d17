/*! Any bytes are a configuration: it is read, or refused with words that name the file.
*/

use post::office::config::Config;

pub fn run(data: &[u8]) {
    let file = std::env::temp_dir().join(format!("ringmail-fuzz-{}.yaml", std::process::id()));
    std::fs::write(&file, data).expect("a file can be written");
    let read = Config::read(&file);
    std::fs::remove_file(&file).expect("it is ours");
    if let Err(refused) = read {
        assert!(refused.to_string().contains("ringmail-fuzz"), "{refused}");
    }
}

/// Valid inputs.
pub fn seeds() -> Vec<Vec<u8>> {
    let way = "server: imaps://box@mail.example\n    secret: { command: \"pass show box\" }\n    login: xoauth2\n";
    let out = way.replace("imaps", "smtp");
    [
        format!("mailbox: box@play.example\nshared: true\nreceive:\n  imap:\n    {way}    folder: Ring\n"),
        format!(
            "mailbox: box@play.example\nshared: false\nhost: a@b.example\nsend:\n  smtp:\n    {out}    \
             return-path: seat\n"
        ),
        "mailbox: box@play.example\nshared: false\nreceive: { maildir: M, lmtp: 127.0.0.1:2424 }\n\
         send: { sendmail: { program: /usr/sbin/sendmail, arguments: [-v] } }\n"
            .to_owned(),
        "mailbox: box@play.example\nshared: false\nsend: { files: out }\n".to_owned(),
    ]
    .map(String::into_bytes)
    .to_vec()
}
