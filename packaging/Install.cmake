# What "cmake --install" puts where, and the .deb that "cpack" makes from a build tree. The MIME type of notebooks
# is part of shared-mime-info.
include(GNUInstallDirs)
set(_sandfish_id org.sandfish.Sandfish)

install(TARGETS sandfishd sandfish-cli RUNTIME)
if(SANDFISH_UI)
  install(TARGETS sandfish RUNTIME)
  install(FILES "packaging/${_sandfish_id}.desktop" DESTINATION "${CMAKE_INSTALL_DATADIR}/applications")
  install(FILES "packaging/${_sandfish_id}.metainfo.xml" DESTINATION "${CMAKE_INSTALL_DATADIR}/metainfo")
  install(FILES resources/logo/sandfish.svg RENAME "${_sandfish_id}.svg"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps")
  install(FILES resources/logo/sandfish-symbolic.svg RENAME "${_sandfish_id}-symbolic.svg"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/symbolic/apps")
endif()
install(FILES LICENSE RENAME copyright DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/sandfish")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME sandfish)
set(CPACK_PACKAGE_CONTACT "The Sandfish authors <sandfish@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "notebooks whose cells run in a sandbox")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# What runs the cells and draws the page is not linked, so no tool finds it.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "python3, fonts-dejavu-core, qt6-qpa-plugins")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS
  "bubblewrap, nodejs, python3-matplotlib, python3-numpy, fonts-noto-color-emoji, qt6-svg-plugins | libqt6svg6")
include(CPack)
